use oslow_flow::kernel::product::*;
use std::time::Instant;
fn main() {
    let n = 2048usize;
    let a = vec![0.5f32; n*n]; let b = vec![0.25f32; n*n]; let mut c = vec![0f32; n*n];
    let mut best=0f64;
    for _ in 0..4 { let t=Instant::now(); unsafe { gemm::gemm(n,n,n,c.as_mut_ptr(),n as isize,1,false,a.as_ptr(),n as isize,1,b.as_ptr(),n as isize,1,0f32,1f32,false,false,false,gemm::Parallelism::None);} let g=2.0*(n as f64).powi(3)/t.elapsed().as_secs_f64()/1e9; best=best.max(g);} println!("gemm {best:.1}");
    for (d,h) in [(6usize,64usize),(20,64),(6,16),(6,128)] {
        let w = d*h; let rows=128;
        let x = vec![0.5f32; rows*w]; let wt = vec![0.1f32; w*w]; let mut y = vec![0f32; rows*w]; let mut dw=vec![0f32;w*w];
        let reps = (4e9/(rows*w*w) as f64) as usize +1;
        let t=Instant::now(); let mut fl=0f64;
        for _ in 0..reps { for i in 0..d { let k=(i+1)*h; f32::product(Shape{m:rows,n:h,k},1.0,Left{data:&x,row:w,column:1},Rows{data:&wt[i*h..],row:w},RowsMut{data:&mut y[i*h..],row:w}); fl+=2.0*(rows*h*k) as f64; } }
        let f=fl/t.elapsed().as_secs_f64()/1e9;
        let t=Instant::now(); let mut fl=0f64;
        for _ in 0..reps { for i in 0..d { let m=(i+1)*h; f32::product(Shape{m,n:h,k:rows},1.0,Left{data:&x,row:1,column:w},Rows{data:&y[i*h..],row:w},RowsMut{data:&mut dw[i*h..],row:w}); fl+=2.0*(rows*h*m) as f64; } }
        let g=fl/t.elapsed().as_secs_f64()/1e9;
        println!("d={d} h={h} forward {f:.1} dW {g:.1} GFLOPS  {}", y[0]);
    }
}
